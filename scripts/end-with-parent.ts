/**
 * Loaded into each part of the demo before its own code (`node --import`): when `npm start` is killed without a chance
 * to stop its parts, the channel to it closes, and they stop as if asked to.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel alone must not keep a part alive that has nothing left to do.
process.channel?.unref();

// Nobody reads the output any more; that is no reason to fall over before the database is stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
