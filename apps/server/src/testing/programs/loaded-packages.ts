import { registerHooks } from 'node:module';

/** Loads the server as its program does and prints the packages that came with it, one on each line. */
const packages = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    const found = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url);
    if (found?.[1]) packages.add(found[1]);
    return nextLoad(url, context);
  },
});
await import('../../app/app.ts');
console.log([...packages].sort().join('\n'));
