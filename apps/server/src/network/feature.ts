import type { Audit } from '../platform/audit.ts';
import type { Platform } from '../platform/platform.ts';
import { createNetworkExchange, type NetworkExchange } from './exchange.ts';
import { createNetworkStaff, type NetworkStaff } from './staff.ts';

export interface NetworkDependencies extends Pick<Platform, 'db' | 'steps' | 'clock'> {
  audit: Audit;
  /** Keys of charge points are stored as HMAC with it. */
  secret: string;
  /** In kopecks: a station that gives more in one charge is not written without a second staff member. */
  staffLimit: number;
}

export interface Network {
  staff: NetworkStaff;
  exchange: NetworkExchange;
}

/** The network as staff build it, wired: by forms, and by files. */
export function createNetwork(dependencies: NetworkDependencies): Network {
  return { staff: createNetworkStaff(dependencies), exchange: createNetworkExchange(dependencies) };
}
