/** The colours of the brand on paper. */
export const ink = '#0c1410';
export const faint = '#4b5850';
export const rule = '#dde2dc';
export const accent = '#22e07c';
export const powerLine = '#2562e0';
