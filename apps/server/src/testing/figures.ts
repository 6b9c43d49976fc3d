/** One value of a server's metrics, as Prometheus reads it; 0 when it was never counted. */
export async function figure(server: { metricsPort: number }, name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name}${labels} `));
  return Number(line?.slice(line.lastIndexOf(' ') + 1) ?? 0);
}
