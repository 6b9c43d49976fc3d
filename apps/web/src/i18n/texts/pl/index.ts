import generic from './generic.json';
import maintenance from './maintenance.json';
import menu from './menu.json';
import refusals from './refusals.json';
import station from './station.json';
import status from './status.json';

/** Namespaces follow the features. */
export const texts = { generic, maintenance, menu, refusals, station, status };
