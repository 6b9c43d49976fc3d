export {
  CallRefused,
  codeOf,
  type OcppFault as Fault,
  ocppFaultOf as faultOf,
  type Protocol,
  protocols,
} from './codes.ts';
export type { MessageId } from './frame.ts';
export { normaliseIdTag } from './id-tag.ts';
export { isClockSet, readInstant } from './instant.ts';
export { createLink, type LinkOptions, type OcppLink as Link, socketOptions } from './link.ts';
export type { LinkEvent } from './link-event.ts';
export {
  conforms,
  type Message,
  message,
  type ReadRequestOf,
  type ReadResponseOf,
  type ReadResult,
  type RequestOf,
  type ResponseOf,
  read,
} from './message.ts';
export { type MeterSample, samplesOf } from './meter.ts';
export { CallFailed, type CallFailure, type CallOptions } from './outbound.ts';
export { type Handlers, handlers, type InboundCall, type MessageHandler as Handler, on, type Route } from './routes.ts';
export * as v16 from './v16/index.ts';
export { knownMeterWh } from './v16/transaction.ts';
