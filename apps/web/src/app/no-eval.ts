import * as z from 'zod/mini';

// This must be the first module: a schema decides when it is created whether to compile itself with `new Function`, and
// our content security policy reports even the attempt.
z.config({ jitless: true });
