import { startStack } from './stack.ts';

/** Four fifths of the demo's chargers would be connected and kept alive for nothing. */
export default () => startStack({ DEMO_NETWORK: process.env.DEMO_NETWORK ?? 'small' });
