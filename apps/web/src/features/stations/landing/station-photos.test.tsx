import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { StationPhotos } from './station-photos.tsx';

it('shows small pictures that load late, and opens a large one', async () => {
  const photos = ['a', 'b'].map((letter) => ({ key: letter.repeat(32), width: 1_600, height: 1_200 }));
  const element = <StationPhotos station={{ number: 'F1400', photos }} />;
  await renderRoutes([{ path: '/', element }], cacheWith({ user: null }), '/');
  const list = screen.getByRole('region', { name: 'Фото станції' });
  const pictures = Array.from(list.querySelectorAll('img'));
  expect(pictures.map((one) => [one.getAttribute('src'), one.getAttribute('loading'), one.width])).toEqual(
    photos.map(({ key }) => [`/api/photo/${key}/small`, 'lazy', 128]),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Фото 2 з 2' }));
  const opened = await screen.findByRole('dialog');
  const shown = () => within(opened).getByRole('img').getAttribute('src');
  expect(shown()).toBe(`/api/photo/${'b'.repeat(32)}/large`);
  fireEvent.click(within(opened).getByRole('button', { name: 'Наступне фото' }));
  expect(shown()).toBe(`/api/photo/${'a'.repeat(32)}/large`);
});
