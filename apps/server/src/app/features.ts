import { createAccounts } from '../account/feature.ts';
import { createRecipients } from '../account/recipients.ts';
import { createUserStore } from '../account/store.ts';
import { createBackoffice } from '../backoffice/feature.ts';
import { createOwnMoney } from '../backoffice/own-money/profit.ts';
import { backofficeUserTables } from '../backoffice/user-tables.ts';
import { createCasesFeature } from '../cases/feature.ts';
import { createCharging } from '../charging/feature.ts';
import type { Config } from '../config/config.ts';
import { takesCertificates } from '../config/settings/tls.ts';
import { createFavourites } from '../favourites/feature.ts';
import { createFeedback } from '../feedback/feature.ts';
import { createFreeAlertsFeature } from '../free-alerts/feature.ts';
import { createIntegrations } from '../integrations/feature.ts';
import { integrationUserTables } from '../integrations/user-tables.ts';
import { createMaintenanceFeature } from '../maintenance/feature.ts';
import { createMessages } from '../messages/feature.ts';
import { createTurboSms } from '../messages/turbosms/client.ts';
import { createNetwork } from '../network/feature.ts';
import { deviceAddress } from '../ocpp/connections/device-address.ts';
import { createOcpp } from '../ocpp/feature.ts';
import { type Timings, timingsWith } from '../ocpp/timings.ts';
import { createParties } from '../party/feature.ts';
import { ledPartyOf, partyUserTables } from '../party/user-tables.ts';
import { connectToBanks, createPayments } from '../payments/feature.ts';
import { approvalUserTables } from '../platform/approval-user-tables.ts';
import { createApprovals } from '../platform/approvals.ts';
import { auditUserTables, createAudit } from '../platform/audit.ts';
import type { Platform } from '../platform/platform.ts';
import type { PublishToPages } from '../realtime/feature.ts';
import { createReceipts } from '../receipts/feature.ts';
import { createRfid } from '../rfid/feature.ts';
import { createSitePower } from '../site-power/feature.ts';
import { createSiteAdmission } from '../site-power/site-admission.ts';
import { createStations } from '../stations/feature.ts';
import { createStatsFeature } from '../stats/feature.ts';
import { createWallet } from '../wallet/feature.ts';
import { createPageErrors } from '../web-app/page-errors.ts';
import type {} from './seams.ts';

export interface FeatureDependencies {
  platform: Platform;
  config: Config;
  /** Sends a message to open pages. */
  publish: PublishToPages;
  timings?: Partial<Timings>;
}

/**
 * Creates every feature with what it needs of the others; no other place connects features. Where two features need
 * each other, the first one gets a function that is called only after both exist.
 */
export function createFeatures({ platform, config, publish, timings }: FeatureDependencies) {
  const { publicUrl, secret, settings } = config;
  const audit = createAudit(platform.clock);
  const approvals = createApprovals({ ...platform, audit, changed: (step) => step.publish('staff-list', 'approvals') });
  const { staffLimit } = config.money;
  const staffed = { ...platform, audit, approvals, staffLimit };

  const ownMoney = createOwnMoney(platform.db);
  const users = createUserStore(platform.db, platform.steps, platform.clock);
  const maintenance = createMaintenanceFeature(staffed);
  const siteRoom = createSiteAdmission({ ...platform, queue: () => freeAlerts.siteQueues });
  const stations = createStations({ ...staffed, withoutRoom: siteRoom.withoutRoom });
  const wallet = createWallet({
    ...staffed,
    publish,
    giftsPerDay: config.money.giftsPerDay,
    needsSecondPerson: ownMoney.needsSecondPerson,
    users,
    paymentSide: () => ({ topUps: payments.topUps, charges: payments.earnings }),
  });
  const banks = connectToBanks({ ...platform, ...config.bank, siteUrl: publicUrl });
  const payments = createPayments({
    ...staffed,
    ...banks,
    staffLimits: wallet.staffLimits,
    ledger: wallet.ledger,
    wallet: wallet.service,
    publicUrl,
    isFiscal: config.bank.isFiscal,
    secret,
    savedCards: settings.saved_cards,
    operations: () => charging.operations,
    tellReturned: (step, user, { operation, ...returned }) =>
      messages.notify(step, user, 'refunded', { operation, returned }),
    events: () => integrations.events,
    noteUser: (step, id, text) => users.note(step, id, 'staff', text),
    anomalyListed: (step, anomaly) => cases.service.fromAnomaly(step, anomaly),
  });
  const ocpp = createOcpp({
    ...platform,
    audit,
    secret,
    takesCertificates: takesCertificates(config.chargePointTls),
    deviceStates: stations.deviceStates,
    addressOf: deviceAddress(config.trustProxy),
    timings: { ...config.ocpp, ...timings },
    retention: config.retention,
    // Charging needs the commands whose outcomes it receives; by the time there is one, both are there.
    outcomes: { charging: (step, outcome) => charging.commandAnswered(step, outcome) },
    wishes: () => charging.wishes,
  });
  const rfid = createRfid({
    ...platform,
    audit,
    publish,
    userOf: (text) => accounts.userOf(text),
    stationOf: stations.service.idFor,
    closedPartiesAt: stations.store.closedPartiesAt,
    tapDeposit: config.money.cardTapDeposit,
  });
  const charging = createCharging({
    ...staffed,
    ...ocpp,
    staffLimits: wallet.staffLimits,
    stations: stations.service,
    payments: payments.service,
    wallet: wallet.service,
    rfid: rfid.service,
    users,
    publishConnector: stations.deviceStates.publishConnector,
    isOfAuthor: ownMoney.isOfAuthor,
    returnUrl: (step, path, user) => accounts.returnUrl(step, path, user),
    notify: (step, user, kind, about) => messages.notify(step, user, kind, about),
    unconfirmed: () => accounts.unconfirmed,
    bankLinesOf: payments.bankLinesOf,
    watchdog: config.watchdog,
    silenceMs: timingsWith({ ...config.ocpp, ...timings }).offlineAfterMs,
    shareAnswered: siteRoom.changed,
    siteRoom,
    events: { operationsChanged: (step, change) => integrations.events.operationsChanged(step, change) },
  });
  const integrations = createIntegrations({
    ...platform,
    audit,
    secret,
    policy: { allowsInner: config.mode !== 'production' },
    checksData: config.mode !== 'production',
    publicUrl,
    stations: stations.store,
    seller: { identity: config.ocpi, brand: settings.brand, hasVat: config.seller.vat !== null },
    isDown: maintenance.service.isDown,
  });
  const sitePower = createSitePower({
    ...platform,
    audit,
    setShare: charging.powerShare.set,
    stopCharge: charging.stopForSite,
    changed: siteRoom.changed,
    queue: () => freeAlerts.siteQueues,
    order: (step, command) => ocpp.commands.order(step, command),
  });
  const messages = createMessages({
    ...platform,
    audit,
    users,
    secret,
    brand: settings.brand,
    publicUrl: publicUrl.origin,
    botUrl: settings.bot_url,
    sms: createTurboSms(config.sms, platform.log),
    telegram: config.telegram,
    push: config.push,
    recipients: createRecipients(platform),
    services: {
      balanceOf: wallet.service.balanceOf,
      openOperations: charging.openFor,
      stop: charging.stopFor,
    },
    reported: ({ entry }, channel, state, smsId) => cases.service.messageReported(entry, { channel, state, smsId }),
  });
  const cases = createCasesFeature({
    ...staffed,
    brand: settings.brand,
    publicUrl: publicUrl.origin,
    chargeOf: charging.operations.find,
    stations: stations.store,
    users,
    messages,
  });
  const freeAlerts = createFreeAlertsFeature({
    ...platform,
    stations: stations.store,
    stationOf: stations.service.idFor,
    ...messages,
    power: sitePower.queuePower,
    isDown: maintenance.service.isDown,
  });
  const favourites = createFavourites({ ...platform, stationOf: stations.service.idFor });
  const pageErrors = createPageErrors(platform);
  const { find: operationOf } = charging.operations;
  const feedback = createFeedback({ ...platform, operationOf, stored: cases.service.fromFeedback });
  const accounts = createAccounts({
    ...platform,
    audit,
    secret,
    revokeKeys: integrations.revokeKeys,
    settings: {
      codes: config.codes,
      hasSecondFactor: config.hasSecondFactor,
      termsVersion: settings.terms_version,
      publicUrl,
      botUrl: settings.bot_url,
    },
    outgoing: messages.outgoing,
    telegramLink: messages.telegramLink,
    userTables: [
      ...[charging, payments, feedback, cases, rfid, ocpp, wallet, messages, freeAlerts, favourites, stations].map(
        (feature) => feature.userTables,
      ),
      pageErrors.userTables,
      partyUserTables,
      approvalUserTables,
      auditUserTables,
      backofficeUserTables,
      integrationUserTables,
    ],
    obstacles: [charging.obstacle, wallet.obstacle, ledPartyOf],
    openOperationsOf: charging.operations.openOf,
    ownWalletOf: wallet.ownWalletOf,
    wallet: wallet.service,
  });

  const party = createParties({
    ...platform,
    audit,
    money: wallet.gifts,
    accounts: accounts.managed,
    stations: stations.service,
    hasOpenOperation: async (step, user) => (await charging.operations.openOf(user, step.db)).length > 0,
    phoneOf: async (user) => (await users.find(user))?.phone ?? null,
    userOf: accounts.userOf,
    publishParty: stations.deviceStates.publishParty,
  });
  const network = createNetwork({ ...staffed, secret });

  return {
    approvals,
    maintenance,
    stations,
    wallet,
    payments,
    ocpp,
    gateway: ocpp.createGateway(sitePower.around(charging.hooks)),
    rfid,
    charging,
    messages,
    accounts,
    party,
    stats: createStatsFeature(platform),
    receipts: createReceipts({
      ...platform,
      seller: {
        brand: settings.brand,
        supportPhone: settings.support_phone,
        site: settings.domain,
        ...config.seller,
      },
      publicUrl,
    }),
    feedback,
    cases,
    freeAlerts,
    favourites,
    integrations,
    pageErrors,
    backoffice: createBackoffice({
      ...staffed,
      findings: config.watchdog,
      accounts,
      charging,
      payments: { service: payments.service, staff: payments.staffActions, anomalies: payments.anomalies },
      wallet,
      cases: cases.staff,
      devices: ocpp.staff,
      messages: messages.staff,
      maintenance: maintenance.staff,
      network: {
        devices: ocpp.staff,
        sites: sitePower.sites,
        messagesKeptDays: config.retention.messagesDays,
        building: {
          ...stations.staff,
          build: network.staff,
          exchange: network.exchange,
          cards: rfid.staff,
          parties: party.staff,
          brand: { name: settings.brand, phone: settings.support_phone },
          publicUrl,
        },
      },
      integrations,
    }),
  };
}

export type Features = ReturnType<typeof createFeatures>;
