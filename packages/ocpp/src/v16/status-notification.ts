import { message, type ReadRequestOf, type RequestOf } from '../message.ts';
import { object, optional, orElse } from '../schema.ts';
import { identifier, instant, oneOf, textSchema } from '../values.ts';
import { nothing } from './nothing.ts';

export const StatusNotification = message({
  action: 'StatusNotification',
  sentBy: 'chargePoint',
  isOrdered: true,
  request: object({
    /** 0 is the charge point as a whole and does not describe single connectors. */
    connectorId: identifier({ min: 0 }),
    status: oneOf(
      [
        'Available',
        'Preparing',
        'Charging',
        'SuspendedEV',
        'SuspendedEVSE',
        'Finishing',
        'Reserved',
        'Unavailable',
        'Faulted',
      ],
      { unknown: 'Unknown', aliases: { error: 'Faulted', fault: 'Faulted' } },
    ),
    /**
     * With a status other than Faulted this is only a warning. A missing or unreadable value does not mean that there
     * is no error.
     */
    errorCode: orElse(
      oneOf(
        [
          'NoError',
          'ConnectorLockFailure',
          'EVCommunicationError',
          'GroundFailure',
          'HighTemperature',
          'InternalError',
          'LocalListConflict',
          'OtherError',
          'OverCurrentFailure',
          'OverVoltage',
          'PowerMeterFailure',
          'PowerSwitchFailure',
          'ReaderFailure',
          'ResetFailure',
          'UnderVoltage',
          'WeakSignal',
        ],
        { unknown: 'OtherError' },
      ),
      'OtherError',
    ),
    info: optional(textSchema(50)),
    timestamp: optional(instant()),
    vendorId: optional(textSchema(255)),
    vendorErrorCode: optional(textSchema(50)),
  }),
  response: nothing,
});

/** The nine statuses of the standard. */
export type OcppConnectorStatus = RequestOf<typeof StatusNotification>['status'];
/** The nine statuses, or `Unknown` for a value that is not in the standard. */
export type ReportedStatus = ReadRequestOf<typeof StatusNotification>['status'];
export type StatusErrorCode = RequestOf<typeof StatusNotification>['errorCode'];
