import assert from 'node:assert/strict';
import { deleteAccount, downloadData, editUser } from '@fpay/contract/profile';
import type { Routes } from '../../platform/http/routes.ts';
import type { AccountService } from '../service.ts';
import type { AccountDeletion } from './delete-account.ts';
import type { OwnDataExport } from './own-data.ts';
import type { Profiles } from './profile.ts';

interface Services {
  account: AccountService;
  profiles: Profiles;
  leaving: AccountDeletion;
  ownData: OwnDataExport;
}

export function profileRoutes(routes: Routes, { account, profiles, leaving, ownData }: Services): void {
  routes.on(editUser, async ({ params, body, viewer, session, device }) => {
    assert(session, 'a signed call without a session');
    const edit = {
      name: body.name,
      phone: body.phone_number,
      password: body.password,
      icon: body.icon,
      language: body.language,
      activeCar: body.active_car,
      addedCars: body.added_cars,
      editedCars: body.edited_cars,
      deletedCars: body.deleted_cars,
      currentPassword: body.current_password,
      code: body.otp,
    };
    await profiles.edit(params.id, edit, { viewer, session: session.owner, device }, session);
    return account.user(viewer);
  });

  routes.on(downloadData, async ({ viewer, http }) => {
    http.reply.header('content-disposition', 'attachment; filename="fpay-data.json"');
    http.reply.header('cache-control', 'no-store');
    return ownData.download(viewer.id);
  });

  routes.on(deleteAccount, async ({ params, body, viewer, endSession }) => {
    const user = await profiles.own(viewer, params.id, 'delete');
    await profiles.checkPassword(user, body.current_password);
    await leaving.leave(user.id);
    await endSession();
    return undefined;
  });
}
