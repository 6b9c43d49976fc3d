import { operationAction } from './record.ts';
import { stationCommand } from './station-command.ts';

export const remoteStopAction = operationAction({ name: 'remote_stop', endpoint: stationCommand });
