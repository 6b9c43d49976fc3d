import { randomBytes } from 'node:crypto';
import {
  activeOperations,
  getOperation,
  isOpen,
  newPayment,
  type OperationStatus,
  stopOperation,
} from '@fpay/contract/charging';
import { nonceBytes } from '@fpay/contract/signature';
import type { ChargePoint } from '@fpay/simulator';
import { typicalCar } from '@fpay/simulator/src/car.ts';
import type { Random } from '@fpay/simulator/src/random.ts';
import type { ScenarioName } from '@fpay/simulator/src/scenario.ts';
import type { Client, SignOptions, TestAnswer } from '../../testing/client.ts';
import type { Timeline } from '../../testing/timeline.ts';
import { type Act, type DriverPlan, type TroubleName, troubles, type Wish } from './crowd-trouble.ts';

const plans: readonly [DriverPlan, ...DriverPlan[]] = [
  'limit',
  'limit',
  'stop',
  'stop',
  'stop',
  'unplug',
  'unplug',
  'cancel',
];
/** At a misbehaving charge point no driver gives up before the fault can occur. */
const stubbornPlans: readonly [DriverPlan, ...DriverPlan[]] = ['limit', 'stop', 'unplug'];
const cardPlans: readonly [DriverPlan, ...DriverPlan[]] = [...plans, 'decline', 'leave'];

/** Charge points of these scenarios never deliver anything. */
export const cannotCharge: readonly ScenarioName[] = ['rejects-start', 'never-starts', 'faulted', 'offline'];

interface Dependencies {
  user: number;
  client: Client;
  device: ChargePoint;
  connector: number;
  scenario: ScenarioName;
  timeline: Timeline;
  bankUrl: string;
  random: Random;
  trouble: TroubleName | null;
}

/** How long a driver tries before leaving, in the stack's milliseconds: a short time where nothing ever comes. */
const tryForMs = { hopeless: 60_000, usual: 15 * 60_000 } as const;
/** How often a driver reads the page; the charge point is visible to them. */
const pollMs = 1_000;
const glanceMs = 250;

export type Driver = ReturnType<typeof createDriver>;

/**
 * One driver at one charge point: plugs in, pays, charges and ends it in one way or another. Calls to a dead server are
 * repeated.
 */
export function createDriver(dependencies: Dependencies) {
  const { user, client, device, connector, scenario, timeline, bankUrl, random, trouble } = dependencies;
  const wish: Wish = trouble ? troubles[trouble].wish : {};
  const method = wish.method ?? (random.chance(0.5) ? ('balance' as const) : ('card' as const));
  const usual = scenario !== 'normal' ? stubbornPlans : method === 'card' ? cardPlans : plans;
  const plan = random.pick(wish.plans ?? (trouble ? stubbornPlans : usual));
  const [least, most] = wish.deposits ?? [20, 60];
  const deposit = Math.round(random.between(least, most));
  const endsAfterWh = random.between(300, 900);
  const plug = device.connector(1);
  const meterBefore = Math.round(plug.meterWh);
  let operation: number | null = null;
  let paidAt = 0;
  /** What others did to this charge, for the audit. */
  const acts: Act[] = [];

  const soon = (ms = glanceMs) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const tryMs = cannotCharge.includes(scenario) ? tryForMs.hopeless : tryForMs.usual;

  /** The page reuses a money call's nonce until it is answered: however often it is sent, it counts once. */
  async function insist<T>(call: (options: SignOptions) => Promise<TestAnswer<T>>): Promise<TestAnswer<T>> {
    const nonce = randomBytes(nonceBytes).toString('base64url');
    for (;;) {
      try {
        const answer = await call({ nonce });
        if (answer.status < 500) return answer;
      } catch {
        // The connection was refused, because the server is restarting.
      }
      await soon();
    }
  }

  async function pay(): Promise<string | null> {
    const until = timeline.now() + tryMs;
    while (timeline.now() < until) {
      const body = { connector, amount: String(deposit), payment_type: method, target: 'uah' as const };
      const answer = await insist((options) => client.call(newPayment, { body }, options));
      if (answer.status === 200) return answer.body.page_url;
      // Not ready: the charge point is reconnecting, or the cable is not fully plugged in.
      if (answer.status !== 409) throw new Error(`paying was answered ${answer.status} ${answer.body.message}`);
      await soon();
    }
    return null;
  }

  async function atBank(pageUrl: string): Promise<number> {
    const { body } = await insist(() => client.call(activeOperations));
    const [open] = body;
    if (!open) throw new Error('the operation to be paid for is not there');
    if (plan !== 'leave') {
      const invoice = new URL(pageUrl).pathname.split('/').at(-1);
      const how = plan === 'decline' ? 'decline' : 'pay';
      const headers = { 'content-type': 'application/json' };
      await fetch(`${bankUrl}/invoices/${invoice}/${how}`, { method: 'POST', headers, body: '{}' });
    }
    return open.id;
  }

  async function status(): Promise<OperationStatus> {
    const params = { id: String(operation) };
    return (await insist(() => client.call(getOperation, { params }))).body.status;
  }

  const hasEnough = () => plug.transaction !== null && plug.meterWh - meterBefore >= endsAfterWh;

  /**
   * For each status, whether it is time for the driver's plan. A charge that the page does not show yet is not stopped.
   */
  function isTime(shown: OperationStatus): boolean {
    // A driver whose trouble is a capture before the cancellation waits for it, but not for long.
    if (plan === 'cancel') return trouble === null || acts.length > 0 || timeline.now() > paidAt + tryForMs.hopeless;
    if (plan === 'unplug') return hasEnough();
    return plan === 'stop' && shown === 'ongoing' && hasEnough();
  }

  async function charge(): Promise<void> {
    paidAt = timeline.now();
    const until = timeline.now() + tryMs;
    let shown = await status();
    let lookedAt = performance.now();
    let hasActed = false;
    while (timeline.now() < until && isOpen(shown)) {
      if (!hasActed && isTime(shown)) {
        hasActed = true;
        if (plan === 'unplug') device.unplug(1);
        else await insist((options) => client.call(stopOperation, { params: { id: String(operation) } }, options));
      }
      // The driver sees the end of the charge; the server settles it without them.
      if (plug.isUnplugPending || plug.car === null || plan === 'leave') return;
      await soon();
      if (performance.now() - lookedAt < pollMs) continue;
      shown = await status();
      lookedAt = performance.now();
    }
  }

  return {
    user,
    device,
    scenario,
    trouble,
    acts,
    plan,
    method,
    deposit,
    meterBefore,
    get operation() {
      return operation;
    },
    async play(): Promise<void> {
      device.plug(1, { car: typicalCar(20) });
      const page = await pay();
      if (page === null) return;
      operation = page.startsWith('s:') ? Number(page.slice(2)) : await atBank(page);
      await charge();
      // Some time later the car leaves; the charge point sends its remaining messages when it can.
    },
    leave(): void {
      if (plug.car !== null) device.unplug(1);
    },
  };
}
