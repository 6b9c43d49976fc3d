import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { aUser } from '../../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../../testing/server.ts';
import { PopupHost } from '../../../../ui/overlay/popup-host.tsx';
import { PhotosCard } from './photos-card.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const [first, second] = ['a'.repeat(32), 'b'.repeat(32)];
const photos = [first, second].map((key) => ({ key, width: 1_600, height: 1_200 }));
const photosCall = '/api/admin/network/stations/F1400/photos';

async function open(answers: Record<string, unknown>, mayManage = true) {
  const server = serve(answers);
  const onDone = vi.fn();
  const card = <PhotosCard station={{ number: 'F1400', photos } as never} mayManage={mayManage} onDone={onDone} />;
  const element = (
    <>
      {card}
      <PopupHost />
    </>
  );
  await renderRoutes([{ path: '/', element }], cacheWith({ user: aUser({ role: 'Admin' }) }), '/');
  return { server, onDone };
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const choose = (...files: File[]) =>
  act(async () => fireEvent.change(screen.getByLabelText('Додати фото'), { target: { files } }));

it('moves a photo and removes one after a question', async () => {
  const { server, onDone } = await open({
    [`PATCH ${photosCall}`]: null,
    [`DELETE ${photosCall}/${first}`]: null,
  });
  press('Фото 2: ближче до початку');
  await waitFor(() => expect(server.bodyOf(`PATCH ${photosCall}`)).toMatchObject({ keys: [second, first] }));
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  press('Видалити фото 1');
  expect(server.times(`DELETE ${photosCall}/${first}`)).toBe(0);
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Так' }));
  await waitFor(() => expect(server.times(`DELETE ${photosCall}/${first}`)).toBe(1));
});

it('sends the chosen files one after the other, and says why one was refused', async () => {
  const { server, onDone } = await open({ [`POST ${photosCall}`]: { key: 'c'.repeat(32) } });
  // Without a way to draw it, a file is sent as it is.
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')));
  await choose(new File(['one'], '1.jpg'), new File(['two'], '2.jpg'));
  await waitFor(() => expect(server.times(`POST ${photosCall}`)).toBe(2));
  expect(server.bodyOf(`POST ${photosCall}`)).toMatchObject({ content: btoa('one') });
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));

  server.answers[`POST ${photosCall}`] = new RefusedAnswer(422, { message: 'No', code: 'not_an_image' });
  await choose(new File(['text'], 'a.txt'));
  expect(await screen.findByText('Це не фото у форматі JPEG, PNG або WebP')).toBeTruthy();
});

it('shows photos to staff who may change nothing', async () => {
  await open({}, false);
  expect(screen.getAllByRole('img')).toHaveLength(2);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByLabelText('Додати фото')).toBeNull();
});
