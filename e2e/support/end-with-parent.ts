/**
 * Loaded into each part of the demo before its own code (`node --import`). When `npm start` is killed and cannot stop
 * its parts, the channel to it closes, and they stop as after SIGTERM.
 */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The channel must not keep a part alive that has finished.
process.channel?.unref();

// After that the output has no reader, and the error must not end the process before the database is stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
