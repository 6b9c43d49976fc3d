/**
 * Sequences of staff actions that once left something wrong, in the form that `npm run proof -- staff` prints. They run every time.
 */
export const keptSequences: readonly string[] = [
  'ongoing by free: force status pending > soft cancel; watchdog',
  'pending by free: force status created; watchdog',
  'pending by balance: force status created; watchdog',
  'pending_final_payment by card: force hold status success + finalize with the total + force status ongoing; nothing',
  'ongoing by card: force status finished + force hold status reversed; watchdog',
  'ongoing by card: force status finished + force hold status success; watchdog',
  'finishing by card: force status finished + cancel payment in part + force hold status success + finalize below the total + cancel payment in part; reading',
  'pending_final_payment by card: force hold status success ~ force energy of 200 Wh with update_total ~ force status created; nothing',
  'finishing by card: force status finishing ~ force status pending_final_payment ~ force hold status reversed; reading',
  'pending_final_payment by card: force energy of 60 Wh > cancel payment in part > force status failed > soft stop > cancel hold; StopTransaction',
  'finished by card: force status failed + take money + force hold status reversed; StopTransaction',
  'starting by card: force status pending_final_payment + force status ongoing + force hold status success + finish + finalize below the total; watchdog',
];
