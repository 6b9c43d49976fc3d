/** Two figures beside each other on a phone, one with large text, four on a computer. */
export const figureGrid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,8.5rem),1fr))] gap-3 lg:grid-cols-4';
