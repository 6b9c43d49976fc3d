import { text } from '../../../i18n/i18n.ts';

/** What most actions answer with. */
export const operationText = ({ status }: { status: string }) => text('adminOperations:doneOperation', { status });
export const paymentText = ({ status }: { status: string }) => text('adminOperations:donePayment', { status });
