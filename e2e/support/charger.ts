import { expect } from '@playwright/test';

/** Actions at a station, whose charge point is simulated. */
export const charger = {
  /** Plugs a car in. */
  plug: (station: string, connector = 1) => command(station, `connectors/${connector}/plug`, { soc: 20 }),
  unplug: (station: string, connector = 1) => command(station, `connectors/${connector}/unplug`),
  /** Taps a card at the reader, and repeats it while the display shows that there is no connection. */
  tap: (station: string, card: string) => command(station, 'tap', { card }, ({ outcome }) => outcome !== 'offline'),
  /** Sets a scenario of the simulator by name. */
  setScenario: (station: string, scenario: string) => command(station, 'scenario', { scenario }),
  async isConnected(station: string): Promise<boolean> {
    const { isConnected } = (await (await fetch(pointOf(station))).json()) as { isConnected: boolean };
    return isConnected;
  },
};

const pointOf = (station: string) =>
  `${process.env.SIMULATOR_URL ?? 'http://127.0.0.1:8091'}/charge-points/CP-${station}`;

async function command(
  station: string,
  what: string,
  body: object = {},
  isDone: (answer: { outcome?: string }) => boolean = () => true,
): Promise<void> {
  const url = `${pointOf(station)}/${what}`;
  // The simulator starts beside the tests, so at first it may not answer or not know the charge point.
  const answer = async () => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answered = await fetch(url, request).catch(() => null);
    return answered?.ok && !isDone((await answered.json()) as { outcome?: string })
      ? 'in vain'
      : (answered?.status ?? 0);
  };
  await expect.poll(answer, { timeout: 60_000, message: `the simulator did not accept: ${what}` }).toBe(200);
}
