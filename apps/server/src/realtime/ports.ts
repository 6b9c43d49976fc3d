/** What the hub needs from outside; pino, Fastify's log and the platform's clock fit without an adapter. */
export interface HubClock {
  now(): Date;
}

type LogLine = (fields: object, message: string) => void;

export interface HubLog {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** Why a connection was not admitted, or was closed by us; used as metric labels. */
export type UpgradeRefusal =
  | 'shutting-down'
  | 'origin'
  | 'protocol'
  | 'token'
  | 'sent-away'
  | 'user-full'
  | 'node-full';
export type CutOff = 'slow-reader' | 'silent' | 'too-many-frames' | 'binary-frame' | 'malformed-frame';

export interface HubMetrics {
  refused(reason: UpgradeRefusal): void;
  cutOff(reason: CutOff): void;
  /** One message was sent to this many sockets. */
  published(receivers: number): void;
}
