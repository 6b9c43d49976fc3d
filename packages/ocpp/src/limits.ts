/** Every bound of a link in one place, each with its reason. Sizes are bytes, times are milliseconds. */

/** A StopTransaction may carry the samples of a whole night: 8 hours at 15 s and 400 bytes a sample are 770 KB. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/** For `ws` itself, which closes the socket above it. Larger than ours, so that a frame a little too big gets an answer. */
export const MAX_SOCKET_PAYLOAD_BYTES = 4 * MAX_FRAME_BYTES;

/** The standard's longest message id. */
export const MAX_MESSAGE_ID = 36;

/** Longer ids than the standard's are answered as they came, for the sake of the message; past this they are an attack. */
export const MAX_TOLERATED_MESSAGE_ID = 255;

/** The standard's longest error description. */
export const MAX_ERROR_DESCRIPTION = 255;

/** One charge point's commands: nobody waits for the 33rd, and a charge point that answers none must not hoard memory. */
export const MAX_QUEUED_CALLS = 32;

/** 30 s is usual in the field; some charge points need up to a minute for TriggerMessage: the caller then says so. */
export const CALL_TIMEOUT_MS = 30_000;

/** How long a call may wait for its turn: two others that time out before it. */
export const CALL_QUEUE_WAIT_MS = 60_000;

/** An hour of samples at 10 s is 360 calls; a charge point that was offline sends them in one go and is not slowed for it. */
export const MAX_INBOUND_CALLS = 400;

/** Reading goes on when the backlog has melted to this, so that the socket is not switched on and off for every call. */
export const RESUME_INBOUND_CALLS = 100;

/** A real charge point sends a few calls a second, a busy queue some hundred; above this it only keeps others waiting. */
export const MAX_FRAMES_PER_SECOND = 2_000;

/** Answers that the other side does not read: a slow modem holds some KB, only a dead or hostile one a megabyte. */
export const MAX_UNREAD_BYTES = 1024 * 1024;

/** A handler that takes longer is stuck: the charge point has long given up waiting and repeats the message. */
export const HANDLER_PATIENCE_MS = 120_000;

/** A hostile payload has thousands of oddities; the log needs a few. */
export const MAX_REPAIRS = 20;
