/**
 * The topics of the outbox, each with the type of its reference. The platform knows none of them: the product declares its topics
 * by merging them into this interface (`seams.ts`), so an event of an undeclared topic neither compiles nor has a listener.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface Topics {}

export type Topic = keyof Topics;
