/** The steps after the first screen, in one file that is loaded once that screen is shown. */
export { AmountStep } from './amount-step.tsx';
export { ConnectorTaken } from './connector-taken.tsx';
export { FreeStep } from './free-step.tsx';
export { PaymentStep } from './payment-step.tsx';
export { PlugIn } from './plug-in.tsx';
