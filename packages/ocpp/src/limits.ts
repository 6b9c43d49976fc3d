/** All limits of a link, each with its reason. Sizes are in bytes, times in milliseconds. */

/** A StopTransaction may contain the samples of a whole night: 8 hours at 15 s and 400 bytes a sample are 770 KB. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/**
 * The limit of `ws`, which closes the socket above it. It is larger than ours, so that a frame slightly above our limit
 * gets an answer.
 */
export const MAX_SOCKET_PAYLOAD_BYTES = 4 * MAX_FRAME_BYTES;

/** The standard's longest message id. */
export const MAX_MESSAGE_ID = 36;

/**
 * Ids longer than the standard allows are accepted, because the message matters more; an id above this limit is an
 * attack.
 */
export const MAX_TOLERATED_MESSAGE_ID = 255;

/** The standard's longest error description. */
export const MAX_ERROR_DESCRIPTION = 255;

/**
 * Queue of commands for one charge point. A caller would not wait for the 33rd, and a charge point that does not answer
 * must not use unlimited memory.
 */
export const MAX_QUEUED_CALLS = 32;

/**
 * 30 s is usual in the field. Some charge points need up to a minute for TriggerMessage; the caller then passes a
 * longer timeout.
 */
export const CALL_TIMEOUT_MS = 30_000;

/** How long a call may wait for its turn: the time of two earlier calls that time out. */
export const CALL_QUEUE_WAIT_MS = 60_000;

/**
 * An hour of samples at 10 s is 360 calls. A charge point that was offline sends them at once and is not slowed down.
 */
export const MAX_INBOUND_CALLS = 400;

/** Reading resumes when the backlog has shrunk to this, so that the socket is not paused and resumed for every call. */
export const RESUME_INBOUND_CALLS = 100;

/**
 * A real charge point sends a few calls a second, and some hundred while it empties its queue. A faster one would delay
 * the others.
 */
export const MAX_FRAMES_PER_SECOND = 2_000;

/**
 * Answers that the other side does not read. A slow modem buffers some KB; only a dead or hostile client reaches a
 * megabyte.
 */
export const MAX_UNREAD_BYTES = 1024 * 1024;

/** A handler that takes longer is stuck; the charge point has stopped waiting long before and repeats the message. */
export const HANDLER_TIMEOUT_MS = 120_000;

/** A hostile payload has thousands of errors; the log needs only a few. */
export const MAX_REPAIRS = 20;
