const passwordNames =
  /authorizationkey|authkey|passw(or)?d|passphrase|passcode|pwd|secret|credential|presharedkey|psk$|apikey|privatekey|accesskey|wifikey|wpakey/;

/**
 * Whether a configuration key of a charger holds a password, by its name: AuthorizationKey of the standard, and what
 * vendors call theirs. Migration 0054 has the same names.
 */
export const namesPassword = (key: string): boolean => passwordNames.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''));
