import type { AreaMap, AreaMapOptions } from './area-map.ts';
import type { PlacePicker, PlacePickerOptions } from './place-picker.ts';

export type { AreaMap } from './area-map.ts';
export type { PlacePicker } from './place-picker.ts';

/** The map of a form in which a place is chosen. Its code is loaded when such a form is opened. */
export async function openPlacePicker(options: PlacePickerOptions): Promise<PlacePicker> {
  const { createPlacePicker } = await import('./place-picker.ts');
  return createPlacePicker(options);
}

/** The map behind the elements of a page. */
export async function openAreaMap(options: AreaMapOptions): Promise<AreaMap> {
  const { createAreaMap } = await import('./area-map.ts');
  return createAreaMap(options);
}
