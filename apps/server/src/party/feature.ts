import type { Audit } from '../platform/audit.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import type { Step } from '../platform/step.ts';
import { type Allowances, createAllowances } from './allowances.ts';
import { createPartyFigures } from './figures-store.ts';
import { createInvitationStore } from './invitations-store.ts';
import { createJoining, type Joining } from './joining.ts';
import { createOwnerCommands, type OwnerCommands } from './owner.ts';
import type { PartyAccounts, PartyMoney, PartyStations } from './ports.ts';
import { partyRoutes } from './routes.ts';
import { createPartyStaff, type PartyStaff } from './staff.ts';
import { createPartyStore } from './store.ts';
import { createPartyViews, type PartyViews } from './views.ts';

export interface PartyDependencies extends Pick<Platform, 'db' | 'steps' | 'clock' | 'limits' | 'dueWork'> {
  audit: Audit;
  money: PartyMoney;
  accounts: PartyAccounts;
  stations: PartyStations;
  hasOpenOperation: (step: Step, user: number) => Promise<boolean>;
  phoneOf: (user: number) => Promise<string | null>;
  /** A registered user by a phone or an id, as staff type it. */
  userOf: (text: string) => Promise<number | null>;
  /** Stations of a party look different to others when it is closed or opened. */
  publishParty: (step: Step, party: number) => Promise<void>;
}

export interface PartyFeature {
  views: PartyViews;
  owner: OwnerCommands;
  joining: Joining;
  allowances: Allowances;
  staff: PartyStaff;
  routes(routes: Routes): void;
}

/** Parties, wired: what owner and members see, what the owner may do, how drivers join and leave. */
export function createParties(dependencies: PartyDependencies): PartyFeature {
  const { db, steps, clock, limits, dueWork, audit, money, accounts, stations } = dependencies;
  const { hasOpenOperation, phoneOf } = dependencies;
  const parties = createPartyStore(db);
  const invitations = createInvitationStore(db);
  const allowances = createAllowances({ clock, money, accounts });
  dueWork.register(allowances.due);
  const views = createPartyViews({ db, clock, parties, invitations, figures: createPartyFigures(db), stations });
  const joining = createJoining({ steps, clock, parties, invitations, money, hasOpenOperation });
  const owner = createOwnerCommands({
    steps,
    clock,
    limits,
    audit,
    parties,
    invitations,
    allowances,
    money,
    accounts,
    phoneOf,
    joining,
  });
  const staff = createPartyStaff({ ...dependencies, parties, joining, noteParting: accounts.noteParting });
  return {
    views,
    owner,
    joining,
    allowances,
    staff,
    routes: (routes) => partyRoutes(routes, { views, owner, joining }),
  };
}
