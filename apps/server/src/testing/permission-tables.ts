/**
 * Copied by hand from the specification's section 6 and the decisions' table of staff calls, on purpose apart from the contract:
 * a test holds the two against each other, so that neither can drift alone.
 */
const guest = 'use-app';
const user = `${guest} access-account-page use-balance have-multiple-operations`;
const support = `${user} access-admin-page monitor-operations access-operation-log access-user-log monitor-users interact-with-stations manipulate-operations contact-users`;
const operator = `${support} access-tech-logs manipulate-payments manage-balance-transactions`;
const admin = `${operator} manage-balances manage-users see-stats`;

export const rolePermissions: Record<string, string> = {
  Guest: guest,
  User: user,
  Analytic: `${user} access-admin-page see-stats monitor-operations access-operation-log access-user-log monitor-users`,
  Support: support,
  Operator: operator,
  Admin: admin,
  SuperAdmin: `${admin} manage-roles manage-admins manage-app`,
  Banned: '',
};

/** `anyone`, `signed-in`, or the permissions a caller needs, all of them. */
const calls: Record<string, string> = {
  'GET /api/settings': 'anyone',
  'GET /api/is-down': 'anyone',
  'POST /api/login': 'anyone',
  'DELETE /api/logout': 'anyone',
  'POST /api/guest': 'anyone',
  'POST /api/users': 'anyone',
  'POST /api/users/uc': 'anyone',
  'POST /api/otps': 'anyone',
  'POST /api/otp': 'anyone',
  'POST /api/restoration': 'anyone',
  // Not of the specification: the staff's second factor, the way back from the bank, promotions, a user's own data.
  'POST /api/login/otps': 'anyone',
  'POST /api/login/otp': 'anyone',
  'POST /api/return': 'anyone',
  'GET /api/promotions': 'anyone',
  'GET /api/user/data': 'access-account-page',
  'DELETE /api/user/:id': 'access-account-page',
  'GET /api/user/sessions': 'access-account-page',
  'DELETE /api/user/sessions': 'access-account-page',
  'DELETE /api/user/sessions/:id': 'access-account-page',
  'GET /api/user': 'signed-in',
  'PATCH /api/user/:id': 'access-account-page',
  'GET /api/negotiate': 'signed-in',
  'GET /api/user/rfid/data': 'access-admin-page',
  'POST /api/user/rfid/requests': 'access-admin-page',
  'DELETE /api/user/rfid/requests/:id': 'access-admin-page',
  'DELETE /api/user/rfid/:card': 'access-admin-page',
  'GET /api/user/transactions/active': 'use-app',
  'GET /api/user/history/:range': 'access-account-page',
  'GET /api/user/stats/:range': 'access-account-page',
  'GET /api/user/balance/transactions': 'use-balance',
  'POST /api/user/balance/gift': 'use-balance',
  // Not of the specification: whom a gift would go to, for the sender to confirm.
  'POST /api/user/balance/gift/recipient': 'use-balance',
  'POST /api/user/balance/buy': 'use-balance',
  // Not of the specification: what became of a top-up, for whoever is back from the bank before its answer.
  'GET /api/user/balance/buy': 'use-balance',
  'GET /api/map/stations': 'anyone',
  'POST /api/map/get-chunk': 'anyone',
  'GET /api/station/:number': 'use-app',
  'GET /api/station/v/:number': 'use-app',
  'GET /api/connectors/:number': 'use-app',
  'GET /api/connectors/v/:number': 'use-app',
  'GET /api/link/:link': 'anyone',
  'POST /api/payment/new': 'use-app',
  'GET /api/operation/:id': 'use-app',
  'POST /api/operation/stop/:id': 'use-app',
  // Not of the specification: a cable that stays locked after the end.
  'POST /api/operation/unlock/:id': 'use-app',
  'GET /api/invoice/:id': 'use-app',
  'POST /api/feedback': 'use-app',
  'POST /api/feedback/allow': 'use-app',
  'GET /api/party/data': 'access-account-page',
  'GET /api/party/stats': 'access-account-page',
  'GET /api/party/trans': 'access-account-page',
  'POST /api/party/reset/:id': 'access-account-page',
  'PATCH /api/party/members/:id': 'access-account-page',
  'POST /api/admin/users': 'access-admin-page monitor-users',
  'GET /api/admin/users/:id': 'access-admin-page monitor-users',
  'GET /api/admin/logs/user/:id': 'access-admin-page access-user-log',
  'GET /api/admin/health/statuses': 'access-admin-page monitor-operations',
  'GET /api/admin/health/terminator': 'access-admin-page monitor-operations',
  'GET /api/admin/health/counters': 'access-admin-page monitor-operations',
  'GET /api/admin/operation/:id': 'access-admin-page monitor-operations',
  'POST /api/admin/operations/last/:count': 'access-admin-page monitor-operations',
  'POST /api/admin/feedback': 'access-admin-page',
  'GET /api/admin/rating/:station': 'access-admin-page see-stats',
  'GET /api/admin/stats': 'access-admin-page see-stats',
  'GET /api/admin/logs/operation/:operationId': 'access-admin-page access-operation-log',
  'GET /api/admin/payment/info/:paymentId': 'access-admin-page monitor-operations',
  'PATCH /api/admin/status/operation/:id': 'access-admin-page manipulate-operations',
  'PATCH /api/admin/status/hold/:id': 'access-admin-page manipulate-payments',
  'PATCH /api/admin/operation/:operationId': 'access-admin-page manipulate-operations',
  'POST /api/admin/operation/soft-start/:id': 'access-admin-page manipulate-operations',
  'POST /api/admin/operation/soft-stop/:id': 'access-admin-page manipulate-operations',
  'POST /api/admin/operation/soft-cancel/:id': 'access-admin-page manipulate-operations',
  'PATCH /api/admin/operation/stop-message/:operationId': 'access-admin-page manipulate-operations',
  'POST /api/admin/payment/:paymentId': 'access-admin-page manipulate-payments',
  'DELETE /api/admin/payment/:paymentId': 'access-admin-page manipulate-payments',
  'DELETE /api/admin/payment/hold/:paymentId': 'access-admin-page manipulate-payments',
  'POST /api/admin/command': 'access-admin-page interact-with-stations',
  'DELETE /api/admin/users/balance/transactions': 'access-admin-page manage-balance-transactions',
  'POST /api/admin/users/send-sms': 'access-admin-page contact-users',
  'POST /api/admin/users/telegram-message': 'access-admin-page',
  'POST /api/admin/users/balance/increase': 'access-admin-page manage-balances',
  'POST /api/admin/users/balance/decrease': 'access-admin-page manage-balances',
  'POST /api/admin/users/wallet/share': 'access-admin-page manage-users',
  'DELETE /api/admin/users/wallet/share': 'access-admin-page manage-users',
  'POST /api/admin/shut-down': 'access-admin-page manage-app',
  'POST /api/admin/turn-on': 'access-admin-page manage-app',
};

/** What a parameter is called is the contract's own business. */
export const withoutNames = (call: string) => call.replace(/:\w+/g, ':');
export const callPermissions = new Map(Object.entries(calls).map(([call, rule]) => [withoutNames(call), rule]));
