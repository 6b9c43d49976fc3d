import { BadOption, readOptions, usage } from './options.ts';
import { simulate } from './simulate.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
try {
  if (process.argv.includes('--help')) console.log(usage);
  else await simulate(readOptions(process.argv.slice(2), process.env), stop.signal);
} catch (error) {
  console.error(error instanceof BadOption ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 1;
}
