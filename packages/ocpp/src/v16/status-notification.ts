import { message, type ReadRequestOf, type RequestOf } from '../message.ts';
import { object, optional, orElse } from '../schema.ts';
import { identifier, instant, oneOf, text } from '../values.ts';
import { nothing } from './nothing.ts';

export const StatusNotification = message({
  action: 'StatusNotification',
  sentBy: 'chargePoint',
  isOrdered: true,
  request: object({
    /** 0 is the charge point as a whole and says nothing about single connectors. */
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
    /** With a status other than Faulted it is only a warning. Missing or unreadable never means that there is no error. */
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
    info: optional(text(50)),
    timestamp: optional(instant()),
    vendorId: optional(text(255)),
    vendorErrorCode: optional(text(50)),
  }),
  response: nothing,
});

/** The nine statuses of the standard. */
export type ConnectorStatus = RequestOf<typeof StatusNotification>['status'];
/** Those and `Unknown`, for a word that no one knows. */
export type ReportedStatus = ReadRequestOf<typeof StatusNotification>['status'];
export type StatusErrorCode = RequestOf<typeof StatusNotification>['errorCode'];
