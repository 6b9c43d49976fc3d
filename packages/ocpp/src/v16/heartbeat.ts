import { message } from '../message.ts';
import { object } from '../schema.ts';
import { instant } from '../values.ts';
import { nothing } from './nothing.ts';

export const Heartbeat = message({
  action: 'Heartbeat',
  sentBy: 'chargePoint',
  request: nothing,
  response: object({ currentTime: instant() }),
});
