/** Aborted by Ctrl-C, SIGTERM or a closed terminal. npm forwards the terminal's signals, so they may arrive twice. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) console.log('\nStopping ...');
      controller.abort();
    });
  }
  // When npm itself is killed, no process sends us a signal.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid !== parent && controller.abort(), 1_000).unref();
  }
  // A closed terminal breaks our output; the processes that we started must be stopped nevertheless.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return controller.signal;
}
