import type { Role } from '@fpay/contract/roles';

/** Who calls. Guests are users too. */
export interface Viewer {
  id: number;
  role: Role;
}

export interface Session {
  id: number;
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

/** Where sessions live. The platform only asks; the account feature answers from its table. */
export interface Sessions {
  /** Null when unknown or ended. `isDueForCookie`: it slid, so its cookies should be sent again. */
  find(token: string): Promise<{ session: Session; isDueForCookie: boolean } | null>;
  /** Replaces `previous`, if any: a sign-in never keeps the id that an attacker may have planted. */
  issue(viewer: Viewer | null, device: Device, previous: Session | null): Promise<IssuedSession>;
  end(session: Session): Promise<void>;
}
