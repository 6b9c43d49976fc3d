const tones = {
  discount: 'bg-promo-tint text-promo',
  sun: 'bg-occupied-tint text-occupied',
  solar: 'bg-occupied-tint text-occupied',
  event: 'bg-error-tint text-error',
} as const;

/** The colours of a promotion's bar, by what drivers see of it. */
export const promotionTone = (code: string) => tones[code as keyof typeof tones] ?? 'bg-free-tint text-free';
