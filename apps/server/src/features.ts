import { randomUUID } from 'node:crypto';
import { kopecks } from '@fpay/contract/money';
import type { Logger } from 'pino';
import { createAccounts } from './account/feature.ts';
import { createRecipients } from './account/recipients.ts';
import { createUserStore } from './account/store.ts';
import { createHealth } from './backoffice/health.ts';
import { createLateEnergy } from './charging/late-energy.ts';
import { createReward } from './charging/reward.ts';
import { createChargingService } from './charging/service.ts';
import { createOperationStore } from './charging/store.ts';
import type { Config } from './config.ts';
import { createFeedbackService } from './feedback/service.ts';
import { createMaintenance } from './maintenance/service.ts';
import { createMessages } from './messages/feature.ts';
import { createTurboSms } from './messages/turbosms/client.ts';
import { createCommands } from './ocpp/commands/service.ts';
import { deviceAddress } from './ocpp/device-address.ts';
import { createGateway } from './ocpp/gateway.ts';
import { createRetention } from './ocpp/retention.ts';
import { createStuckConnectors } from './ocpp/stuck-connectors.ts';
import { type Timings, usualTimings } from './ocpp/timings.ts';
import { paymentRules } from './payments/check.ts';
import { createExchanges } from './payments/exchanges.ts';
import { createPayments } from './payments/feature.ts';
import { createMonobank } from './payments/monobank/bank.ts';
import { webhookPath } from './payments/webhook.ts';
import { createAudit } from './platform/audit.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database.ts';
import type { DueWork } from './platform/due-work.ts';
import type { Viewer } from './platform/http/session.ts';
import type { Jobs } from './platform/jobs.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Outbox } from './platform/outbox.ts';
import type { RateLimits } from './platform/rate-limits.ts';
import { Refusal } from './platform/refusal.ts';
import type { RowLoops } from './platform/row-loops.ts';
import type { Step, Steps } from './platform/step.ts';
import { meansOf } from './rfid/means.ts';
import { createRfidService } from './rfid/service.ts';
import { createRfidStore } from './rfid/store.ts';
import { createDeviceStates } from './stations/device-states.ts';
import { createMapService } from './stations/map/service.ts';
import { createStationService } from './stations/service.ts';
import { createStationStore } from './stations/store.ts';
import { createStats } from './stats/service.ts';
import { createStatsStore } from './stats/store.ts';
import { createLedgerWatch, ledgerRules } from './wallet/check.ts';
import { createGifts } from './wallet/gift.ts';
import { createGiftProbes } from './wallet/gift-probes.ts';
import { createWalletService } from './wallet/service.ts';
import { createSharedWallets } from './wallet/shared-wallet.ts';
import { createStaffMoney } from './wallet/staff.ts';
import { createWalletStore } from './wallet/store.ts';

export interface Platform {
  config: Config;
  databaseUrl: string;
  db: Database;
  steps: Steps;
  outbox: Outbox;
  rows: RowLoops;
  dueWork: DueWork;
  jobs: Jobs;
  limits: RateLimits;
  metrics: Metrics;
  clock: Clock;
  log: Logger;
  timings: Partial<Timings>;
}

/** Every feature with what it needs of the others: the only place where they meet. */
export function createFeatures({
  config,
  databaseUrl,
  db,
  steps,
  outbox,
  rows,
  dueWork,
  jobs,
  limits,
  metrics,
  clock,
  log,
  timings,
}: Platform) {
  const audit = createAudit(clock);
  const maintenance = createMaintenance({ db, steps, outbox, clock });

  const stationStore = createStationStore(db);
  const stations = createStationService({ stations: stationStore, clock });
  const deviceStates = createDeviceStates({ clock });
  const map = createMapService({ databaseUrl, outbox, log });

  const ledger = createWalletStore(db, clock);
  const wallet = createWalletService({ ledger });
  const exchanges = createExchanges(db, clock, log);
  const bank = createMonobank({
    baseUrl: config.bank.url,
    token: config.bank.token,
    webhookUrl: new URL(webhookPath, config.publicUrl).href,
    clock,
    onExchange: exchanges.record,
  });
  const { publicUrl } = config;
  const { isFiscal } = config.bank;
  const payments = createPayments({
    db,
    steps,
    rows,
    dueWork,
    clock,
    log,
    ledger,
    wallet,
    bank,
    audit,
    publicUrl,
    isFiscal,
    limits,
    isOperationOpen: (step, id) => operations.isOpen(step, id),
  });
  const ledgerWatch = createLedgerWatch({
    db,
    clock,
    rules: [...ledgerRules, ...paymentRules],
    note: ({ rule, subject, details }) =>
      payments.anomalies.note({ db }, { kind: 'ledger_fault', subject: `${subject}: ${rule}`, details }),
  });
  metrics.gauge('fpay_ledger_faults', 'Faults the last check of the books found', ledgerWatch.lastFaultCount);
  const gifts = createGifts({ steps, ledger, wallet, clock, giftsPerDay: kopecks(config.money.giftsPerDay) });
  const giftProbes = createGiftProbes(limits);
  const staffMoney = createStaffMoney({ steps, ledger, wallet, topUps: payments.topUps, audit });
  const sharedWallets = createSharedWallets({ steps, ledger, audit });

  const commands = createCommands({
    db,
    steps,
    outbox,
    clock,
    log,
    nodeDeadAfterMs: timings.nodeDeadAfterMs ?? usualTimings.nodeDeadAfterMs,
    wakeDue: () => dueWork.wake('command'),
  });
  dueWork.register(commands.due);
  dueWork.register(createStuckConnectors({ clock, commands }));

  const operations = createOperationStore(db, clock);
  const rfidStore = createRfidStore(db, clock);
  const rfid = createRfidService({
    store: rfidStore,
    steps,
    dueWork,
    stationOf,
    meansOf,
    networkLimit: config.money.cardTapDeposit,
  });
  const charging = createChargingService({
    db,
    operations,
    steps,
    dueWork,
    clock,
    stations,
    payments: payments.service,
    commands,
    rfid,
    reward: createReward({ operations, wallet, clock, rows }),
    activeCarOf: (user) => accounts.users.activeCarOf(user),
    tellConnector: deviceStates.tellConnector,
    redirectUrl,
    // Messages need charging for the bot's buttons; by the time anything is told, both are there.
    notify: (step, user, kind, about) => messages.notify(step, user, kind, about),
    audit,
    bankLinesOf: exchanges.linesOf,
    lateEnergy: createLateEnergy({ operations, wallet, ledger }),
    watchdog: config.watchdog,
    rows,
  });

  const recipients = createRecipients(db, steps, createUserStore(db, steps, clock));
  const { secret, settings } = config;
  const messages = createMessages({
    db,
    steps,
    rows,
    clock,
    jobs,
    log,
    secret,
    brand: settings.brand,
    publicUrl: publicUrl.origin,
    botUrl: settings.bot_url,
    sms: createTurboSms(config.sms, log),
    telegram: config.telegram,
    recipients,
    world: {
      balanceOf: wallet.balanceOf,
      openOperations: charging.openFor,
      stop: (user, id) => charging.stopFor(user, id),
    },
  });
  const accounts = createAccounts({
    db,
    steps,
    rows,
    clock,
    limits,
    log,
    secret,
    settings: {
      codes: config.codes,
      hasSecondFactor: config.hasSecondFactor,
      termsVersion: settings.terms_version,
      isHttps: publicUrl.protocol === 'https:',
      botUrl: settings.bot_url,
    },
    outgoing: messages.outgoing,
    telegramLink: messages.telegramLink,
    withdrawUnpaid: charging.withdrawUnpaid,
    wallet,
  });
  const stats = createStats({ stats: createStatsStore(db), clock });
  const feedback = createFeedbackService({ db, steps, clock, operationOf: operations.find });
  const gateway = createGateway({
    db,
    steps,
    rows,
    outbox,
    clock,
    log,
    metrics,
    limits,
    nodeId: randomUUID(),
    secret: config.secret,
    deviceStates,
    commands,
    hooks: charging.hooks,
    timings: { ...config.ocpp, ...timings },
    addressOf: deviceAddress(config.trustProxy),
  });

  /** A guest's bank may come back in another browser: the address carries what finds the session again. */
  async function redirectUrl(step: Step, operation: number, user: number): Promise<string> {
    const url = new URL(`/status/${operation}`, publicUrl);
    const token = await accounts.returnTokens.issue(step, user);
    if (token !== null) url.searchParams.set('return', token);
    return url.href;
  }

  async function stationOf(viewer: Viewer, number: string): Promise<number | null> {
    const station = await stationStore.byNumber(number);
    if (!station || station.isVirtual) return null;
    const isHidden = station.closedPartyId !== null && station.closedPartyId !== (await stations.closedPartyOf(viewer));
    if (isHidden) throw new Refusal('closed_station');
    return station.id;
  }

  return {
    users: accounts.users,
    sessions: accounts.sessions,
    accounts,
    messages,
    stats,
    maintenance,
    stations,
    map,
    ledger,
    wallet,
    gifts,
    giftProbes,
    staffMoney,
    sharedWallets,
    bank,
    payments,
    rfid,
    rfidStore,
    operations,
    charging,
    feedback,
    commands,
    gateway,
    retention: createRetention({ db, clock, log }),
    ledgerWatch,
    health: createHealth({ db, clock, suspiciousWh: config.watchdog.suspiciousWh }),
  };
}

export type Features = ReturnType<typeof createFeatures>;
