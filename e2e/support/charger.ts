import { expect } from '@playwright/test';

/** What happens at a station: its charge point is played by the simulator, which does as it is told. */
export const charger = {
  /** Somebody drives up and plugs the cable in. */
  plug: (station: string, connector = 1) => tell(station, `connectors/${connector}/plug`, { soc: 20 }),
  unplug: (station: string, connector = 1) => tell(station, `connectors/${connector}/unplug`),
  /** Somebody holds a card to the reader, and again as long as its display says that there is no connection. */
  tap: (station: string, card: string) => tell(station, 'tap', { card }, ({ outcome }) => outcome !== 'offline'),
  /** A name of the simulator's table of scenarios. */
  behave: (station: string, scenario: string) => tell(station, 'scenario', { scenario }),
  async isConnected(station: string): Promise<boolean> {
    const { isConnected } = (await (await fetch(pointOf(station))).json()) as { isConnected: boolean };
    return isConnected;
  },
};

const pointOf = (station: string) =>
  `${process.env.SIMULATOR_URL ?? 'http://127.0.0.1:8091'}/charge-points/CP-${station}`;

async function tell(
  station: string,
  what: string,
  body: object = {},
  isDone: (answer: { outcome?: string }) => boolean = () => true,
): Promise<void> {
  const url = `${pointOf(station)}/${what}`;
  // The simulator starts beside the tests: at first it may not be there, or not know the charge point.
  const answer = async () => {
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const told = await fetch(url, request).catch(() => null);
    return told?.ok && !isDone((await told.json()) as { outcome?: string }) ? 'in vain' : (told?.status ?? 0);
  };
  await expect.poll(answer, { timeout: 60_000, message: `the simulator does as told: ${what}` }).toBe(200);
}
