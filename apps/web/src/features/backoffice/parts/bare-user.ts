/** A phone number or an id as it is typed or copied, without what only divides its digits. */
export const bareUser = (typed: string): string => typed.replace(/[\s()-]/g, '');
