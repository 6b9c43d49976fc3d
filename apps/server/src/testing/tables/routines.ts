interface Routine {
  owner: string;
  why: string;
}

/** The triggers of the database by table and name, each with its owner and why it is no code of a feature. */
export const triggerOwners: Record<string, Routine> = {
  'accounts.accounts_earned_stats': {
    owner: 'backoffice',
    why: 'A refund or a reward changes a figure and no column of the charge, so its hour is counted again.',
  },
  'audit.audit_is_append_only': {
    owner: 'platform',
    why: 'No role may change the audit, the owner of the schema included.',
  },
  'audit.audit_is_chained': {
    owner: 'platform',
    why: 'A row is chained when its transaction commits, because the lock on the end of the chain is held from then on only.',
  },
  'audit_chain.audit_chain_is_append_only': {
    owner: 'platform',
    why: 'The chain proves the audit only if no role can change it.',
  },
  'audit_personal.audit_personal_is_append_only': {
    owner: 'platform',
    why: 'Values about a person change in one way: those of a deleted account are erased.',
  },
  'audit_personal.audit_personal_stays': {
    owner: 'platform',
    why: 'The hash of a removed row could not be checked any more.',
  },
  'bank_exchanges.bank_exchanges_are_append_only': {
    owner: 'payments',
    why: 'What was said between the bank and us is evidence, so no role may change it. Each partition has the same trigger.',
  },
  'feedback.feedback_has_station': {
    owner: 'feedback',
    why: 'The station is a copy that a list is sorted by, and it is right whichever statement adds a row.',
  },
  'feedback.feedback_stats': {
    owner: 'backoffice',
    why: 'The hour of the rated charge is counted again. It adds one row to the list of hours and reads no rule of a feature.',
  },
  'operations.operations_changed_stats': {
    owner: 'backoffice',
    why: 'A figure depends on nearly every column of a closed charge, so every statement that changes one counts its hour again.',
  },
  'operations.operations_closed_stats': {
    owner: 'backoffice',
    why: 'A charge that is imported as closed is counted too, whichever statement adds it.',
  },
  'operations.operations_of_living_users': {
    owner: 'account',
    why: 'A step that began before the deletion of the account is decided by the lock on the row of the user.',
  },
  'parties.parties_of_living_users': { owner: 'account', why: 'The same for the owner of a party.' },
  'party_members.party_members_are_living_users': { owner: 'account', why: 'The same for a member of a party.' },
  'party_members.party_members_begin_stays': {
    owner: 'party',
    why: 'The owner of a party sees the charges of a stay, so there is no membership without one.',
  },
  'party_parts.party_parts_are_append_only': {
    owner: 'wallet',
    why: 'The history of party money is part of the ledger.',
  },
  'payments.payments_of_living_users': { owner: 'account', why: 'As for operations, for the payments of a user.' },
  'staff_approvals.staff_approvals_are_kept': {
    owner: 'platform',
    why: 'What a second staff member decides about is what the first one asked for, and a decision is final.',
  },
  'support_notes.support_notes_are_append_only': {
    owner: 'backoffice',
    why: 'A note is a record of what staff knew when they wrote it.',
  },
  'transfers.transfers_are_append_only': {
    owner: 'wallet',
    why: 'No role may change the ledger, the owner of the schema included.',
  },
  'unbilled_energy.unbilled_energy_is_append_only': {
    owner: 'charging',
    why: 'Energy that was booked as a loss is not booked again or changed.',
  },
  'users.users_have_wallets': {
    owner: 'wallet',
    why: 'There is no user without a wallet, whichever statement adds one, and only the ledger opens accounts.',
  },
  'users.users_temporary_stats': {
    owner: 'backoffice',
    why: 'Charges of a guest who registers move to the figures of registered users, so their hours are counted again.',
  },
};

/** Functions of the database. Most that write have the rights of the schema's owner, so each is called by its owner only. */
export const functionOwners: Record<string, Routine> = {
  audit_content: { owner: 'platform', why: 'What is chained of a row of the audit.' },
  begin_party_stay: { owner: 'party', why: 'The trigger of memberships.' },
  chain_audit: { owner: 'platform', why: 'The trigger that chains a row of the audit.' },
  check_repeated: { owner: 'wallet', why: 'A transfer that is repeated must be the same transfer.' },
  colour_party_history: { owner: 'wallet', why: 'Divides balances of members once, when party money is introduced.' },
  count_operations: { owner: 'backoffice', why: 'The figures of a range of time, in one pass over its operations.' },
  discard_user: {
    owner: 'account',
    why: 'A guest without a history is removed with the wallet, which the product has no right to.',
  },
  drop_expired_message_day: {
    owner: 'platform',
    why: 'Only the owner of a table may drop a partition, and never a young one.',
  },
  drop_expired_partition: {
    owner: 'platform',
    why: 'Only the owner of a table may drop a partition, and never a young one.',
  },
  ensure_message_day: { owner: 'platform', why: 'Only the owner of a table may add a partition.' },
  ensure_message_days: { owner: 'platform', why: 'Only the owner of a table may add a partition.' },
  ensure_partition: { owner: 'platform', why: 'Only the owner of a table may add a partition.' },
  ensure_partitions: { owner: 'platform', why: 'Only the owner of a table may add a partition.' },
  forget_audit: {
    owner: 'platform',
    why: 'Values of a deleted account are erased, which the product has no right to.',
  },
  forget_user_log: {
    owner: 'account',
    why: 'The log of a deleted account is deleted, which the product has no right to.',
  },
  give_wallet: { owner: 'wallet', why: 'The trigger that gives each user a wallet.' },
  keep_operation_curves: { owner: 'ocpp', why: 'Thousands of readings become one curve without leaving the database.' },
  lock_accounts: { owner: 'wallet', why: 'Locks accounts in their order; the product may not update them.' },
  money_given_back: {
    owner: 'backoffice',
    why: 'What of a charge went back to its driver, from the ledger; figures sum it over many charges.',
  },
  note_earnings_stats_change: { owner: 'backoffice', why: 'The trigger of what a charge has earned.' },
  note_feedback_stats_change: { owner: 'backoffice', why: 'The trigger of ratings.' },
  note_stats_change: { owner: 'backoffice', why: 'The trigger of closed charges.' },
  note_user_stats_change: { owner: 'backoffice', why: 'The trigger of guests who register.' },
  open_account: {
    owner: 'wallet',
    why: 'Opens the account of a deposit or a refund; the product may not write accounts.',
  },
  open_wallet: { owner: 'wallet', why: 'Opens a wallet; the product may not write accounts.' },
  partitioned_tables: {
    owner: 'platform',
    why: 'Which tables have partitions, and how long their rows are kept at least.',
  },
  party_money_taken: { owner: 'wallet', why: 'How much of an amount is party money.' },
  post_coloured_transfers: { owner: 'wallet', why: 'Transfers with the party money in them.' },
  post_transfers: {
    owner: 'wallet',
    why: 'The only way in which money moves; the product may not write transfers or accounts.',
  },
  recount_stats: { owner: 'backoffice', why: 'Counts hours again, with their days and months.' },
  refuse_change: { owner: 'platform', why: 'The trigger of tables whose rows are only added.' },
  refuse_deleted_user: { owner: 'account', why: 'The trigger of rows that name a user.' },
  refuse_personal_change: { owner: 'platform', why: 'The trigger of personal values in the audit.' },
  set_feedback_station: { owner: 'feedback', why: 'The trigger that copies the station.' },
  staff_approval_is_kept: { owner: 'platform', why: 'The trigger of approvals.' },
  sum_stats_day: { owner: 'backoffice', why: 'The figures of a day, from its hours.' },
  sum_stats_month: { owner: 'backoffice', why: 'The figures of a month, from its days.' },
};

/** What functions write beside the tables of their owner, each with its reason. No function of a trigger is here. */
export const foreignFunctionWrites: Record<string, string> = {
  'discard_user accounts':
    'The account of a guest without a history goes with the guest, in the transaction that checks the history.',
  'discard_user wallets': 'The same for the wallet.',
};
