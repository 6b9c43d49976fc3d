import * as z from 'zod/mini';

// First of all modules: a schema decides when it is made whether to compile itself with `new Function`, and our content
// security policy reports even the attempt.
z.config({ jitless: true });
