/** What the hub asks of its surroundings; pino, Fastify's log and the platform's clock fit as they are. */
export interface Clock {
  now(): Date;
}

type LogLine = (fields: object, message: string) => void;

export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** Why a connection was not admitted, or was ended by us: words that make good metric labels. */
export type Refused = 'shutting-down' | 'origin' | 'protocol' | 'token' | 'sent-away' | 'user-full' | 'node-full';
export type CutOff = 'slow-reader' | 'silent' | 'too-many-frames' | 'binary-frame' | 'malformed-frame';

export interface Metrics {
  refused(reason: Refused): void;
  cutOff(reason: CutOff): void;
  /** One message went to this many sockets. */
  published(receivers: number): void;
}
