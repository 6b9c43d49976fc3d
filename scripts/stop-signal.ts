/** Aborted by Ctrl-C, a polite kill or a closed terminal. npm passes on what the terminal sent too, so signals may come twice. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!controller.signal.aborted) console.log('\nStopping ...');
      controller.abort();
    });
  }
  // npm itself killed: nobody is left to send us a signal.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => process.ppid !== parent && controller.abort(), 1_000).unref();
  }
  // A closed terminal takes our output away; what we started must be stopped all the same.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return controller.signal;
}
