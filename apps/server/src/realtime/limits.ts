/** Every size, count and wait of the hub with its reason. Tests narrow them; production does not change them. */
export const defaultHubLimits = {
  /** Clients of ours only join, leave and ping: some 100 bytes. Azure allows 1 MB, for senders that we do not have. */
  frameBytes: 16 * 1024,
  /** A page some 2,000 messages behind is better served by a new connection and one refetch. */
  pendingBytes: 256 * 1024,
  /** Tabs and devices of one user on one node. */
  connectionsPerUser: 20,
  /** Leaves file descriptors for charge points, the database and HTTP under the usual limit of 65,536. */
  connections: 20_000,
  /** An official client sends one ping in 20 s and a few joins; a client above this limit has a bug. */
  framesPerWindow: 200,
  frameWindowMs: 10_000,
  /** As many acknowledged requests as Azure advises to remember, so that a repeat is not executed twice. */
  ackIds: 1_000,
  /** Proxies close a connection that is silent for 60 s; two missed answers in a row mean a dead peer. */
  heartbeatMs: 25_000,
  /**
   * Rights are checked when a connection opens. After a session that expired by itself, or a lost event, a socket would
   * have its rights for ever; therefore the client must request a new address after this time.
   */
  lifeMs: 60 * 60_000,
  /** How long a peer may take to answer our close before the connection is cut. */
  closeMs: 2_000,
};

export type HubLimits = typeof defaultHubLimits;
