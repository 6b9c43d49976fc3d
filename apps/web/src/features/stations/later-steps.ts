/** The steps behind the first screen. They are one file that is fetched once that screen stands. */
export { AmountStep } from './amount-step.tsx';
export { FreeStep } from './free-step.tsx';
export { PaymentStep } from './payment-step.tsx';
