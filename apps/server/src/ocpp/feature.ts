import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Audit } from '../platform/audit.ts';
import type { DueKind } from '../platform/jobs/due-work.ts';
import type { Platform } from '../platform/platform.ts';
import type { UserTables } from '../platform/user-tables.ts';
import type { DeviceStates } from '../stations/device-states.ts';
import { type Commands, createCommands, type OutcomeHandlers } from './commands/service.ts';
import { createStationStaffActions, type StationStaffActions } from './commands/staff.ts';
import { createWishes, type Wishes, type WishRules } from './commands/wishes.ts';
import { type ChargePointStaffActions, createChargePointStaffActions } from './connections/staff.ts';
import type { ChargingPort } from './device/charging-port.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createRetention, type ReportRetention, type Retention } from './metering/retention.ts';
import { createStuckConnectors, ignoreRemedyOutcome } from './recovery/stuck-connectors.ts';
import { type Timings, timingsWith } from './timings.ts';
import { gatewayUserTables } from './user-tables.ts';

export interface OcppDependencies
  extends Pick<Platform, 'db' | 'steps' | 'rows' | 'outbox' | 'dueWork' | 'limits' | 'metrics' | 'clock' | 'log'>,
    Partial<Pick<Platform, 'tracing'>> {
  /** Keys of charge points are stored as HMAC with it. */
  secret: string;
  /** Whether charge points may sign in with a certificate. */
  takesCertificates: boolean;
  audit: Audit;
  deviceStates: DeviceStates;
  /** The handlers of the other features that enqueue commands. */
  outcomes: Omit<OutcomeHandlers, 'stuck-connector'>;
  /** What the other features want of devices that may be away. */
  wishes: () => WishRules;
  timings?: Partial<Timings>;
  /** How long reports of devices are kept. */
  retention: ReportRetention;
  /** The id of this process and of this start of it. */
  nodeId?: string;
  /** Behind a proxy: the address of the device. */
  addressOf?: (request: IncomingMessage) => string;
  /** Whether messages are kept for staff. Only a bench turns it off. */
  keepsMessages?: boolean;
}

export interface Ocpp {
  commands: Commands;
  wishes: Wishes;
  /** What staff may do to a device: commands, and its registration with its password. */
  staff: { commands: StationStaffActions; chargePoints: ChargePointStaffActions };
  /** The ladder of remedies for connectors that do not become free by themselves. */
  stuckConnectors: DueKind;
  retention: Retention;
  /** What becomes of this feature's rows when an account is merged or deleted. */
  userTables: UserTables;
  /** Charging sends commands and the gateway reports to charging, so the gateway is made when charging exists. */
  createGateway(hooks?: ChargingPort): Gateway;
}

/** OCPP, wired: commands from any node, and the gateway that holds sockets on this one. */
export function createOcpp(given: OcppDependencies): Ocpp {
  const { db, steps, rows, outbox, dueWork, limits, metrics, clock, log, secret, deviceStates, addressOf } = given;
  const { nodeId = randomUUID(), keepsMessages = true } = given;
  const timings = timingsWith(given.timings);
  const commands = createCommands({
    db,
    steps,
    outbox,
    clock,
    log,
    nodeDeadAfterMs: timings.nodeDeadAfterMs,
    outcomes: { ...given.outcomes, 'stuck-connector': ignoreRemedyOutcome },
    wakeDue: () => dueWork.wake('command'),
  });
  const stuckConnectors = createStuckConnectors({ clock, commands });
  const wishes = createWishes({ clock, rules: given.wishes, wakeDue: () => dueWork.wake('device-wish') });
  dueWork.register(commands.due);
  dueWork.register(wishes.due);
  dueWork.register(stuckConnectors);

  return {
    commands,
    wishes,
    staff: {
      commands: createStationStaffActions({ ...given, commands }),
      chargePoints: createChargePointStaffActions(given),
    },
    stuckConnectors,
    userTables: gatewayUserTables,
    retention: createRetention({ db, clock, log, periods: given.retention }),
    createGateway: (hooks?: ChargingPort): Gateway =>
      createGateway({
        db,
        steps,
        rows,
        outbox,
        clock,
        log,
        metrics,
        limits,
        ...(given.tracing && { tracing: given.tracing }),
        nodeId,
        secret,
        deviceStates,
        commands,
        wishes,
        timings,
        keepsMessages,
        ...(hooks && { hooks }),
        ...(addressOf && { addressOf }),
      }),
  };
}
