import type { Role } from '@fpay/contract/roles';

/** The caller. Guests are users too. */
export interface Viewer {
  id: number;
  role: Role;
  /**
   * Since then somebody else knows the password of this session, and the user has not confirmed it. Such a session may call
   * only endpoints that are open before the confirmation.
   */
  unconfirmedSince?: Date;
}

export interface Session {
  /** The row's id; null for a visitor who is not signed in, because such a session has no row. */
  id: number | null;
  /** Identifies the session for data that belongs to it: one-time codes, and the nonces of a visitor. */
  owner: string;
  csrfToken: string;
  viewer: Viewer | null;
}

/** A session that was just created or prolonged. Its secret is put into the cookie and stored nowhere else. */
export interface IssuedSession extends Session {
  token: string;
}

export interface Device {
  ip: string;
  userAgent: string;
}

/**
 * Access to the sessions of signed-in users. The platform only calls it; the account feature implements it with its
 * table.
 */
export interface Sessions {
  /**
   * Null when unknown or ended. With `isDueForCookie` the session was prolonged, so its cookies should be sent again.
   */
  find(token: string): Promise<{ session: Session; isDueForCookie: boolean } | null>;
  /** Replaces `previous`, if any: a sign-in never keeps an id that an attacker may have planted. */
  issue(viewer: Viewer, device: Device, previous: Session | null): Promise<IssuedSession>;
  end(session: Session): Promise<void>;
}
