import type { Role } from '@fpay/contract/roles';

/** Who calls. Guests are users too. */
export interface Viewer {
  id: number;
  role: Role;
}

export interface Session {
  /** The row's id; null for a visitor who is not signed in, because such a session has no row. */
  id: number | null;
  /** Names the session for what belongs to it: one-time codes, and the nonces of a visitor. */
  owner: string;
  csrfToken: string;
  viewer: Viewer | null;
}

/** A session just made or prolonged: its secret goes into the cookie and nowhere else. */
export interface IssuedSession extends Session {
  token: string;
}

export interface Device {
  ip: string;
  userAgent: string;
}

/** Where sessions of signed-in users live. The platform only asks; the account feature answers from its table. */
export interface Sessions {
  /** Null when unknown or ended. `isDueForCookie`: it slid, so its cookies should be sent again. */
  find(token: string): Promise<{ session: Session; isDueForCookie: boolean } | null>;
  /** Replaces `previous`, if any: a sign-in never keeps the id that an attacker may have planted. */
  issue(viewer: Viewer, device: Device, previous: Session | null): Promise<IssuedSession>;
  end(session: Session): Promise<void>;
}
