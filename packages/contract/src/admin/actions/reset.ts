import { operationAction } from './record.ts';
import { stationCommand } from './station-command.ts';

export const resetAction = operationAction({ name: 'reset', endpoint: stationCommand });
