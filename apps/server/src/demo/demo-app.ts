import type { App } from '../app/app.ts';

/** What creates the demo's data: the product's own features on its own database. */
export type DemoApp = Pick<App, 'platform' | 'config' | 'features'>;
