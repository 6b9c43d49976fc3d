import { RPCClient } from 'ocpp-rpc';

interface ClientPlace {
  port: number;
  identity: string;
  password: string;
  protocols?: string[];
}

/** A device of an independent library at the plain endpoint of a server. It answers nothing by itself. */
export async function connectClient({
  port,
  identity,
  password,
  protocols = ['ocpp1.6'],
}: ClientPlace): Promise<RPCClient> {
  const client = new RPCClient({
    endpoint: `ws://127.0.0.1:${port}/ocpp`,
    identity,
    password,
    protocols,
    reconnect: false,
    callConcurrency: 4,
    // The library's types require every option, but its code has a default for each.
  } as ConstructorParameters<typeof RPCClient>[0]);
  client.on('error', () => {});
  await client.connect();
  return client;
}
