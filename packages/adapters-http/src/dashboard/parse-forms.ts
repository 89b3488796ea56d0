import { errorCodes, type FastifyInstance } from 'fastify';

/** Descriptions are long texts, but not books. The limit also applies before sign-in. */
const FORM_LIMIT = 256 * 1024;
/** The form of a bulk action names `MAX_BULK` purchases. Each field is shown again where a form is kept, also before sign-in. */
const MAX_FIELDS = 2000;

/** Replaces a body that is not a form. */
export const WRONG_TYPE = Symbol('wrong type');

export function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    (_request, body, done) => {
      const text = body.toString();
      if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
        return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
      return done(null, new URLSearchParams(text));
    },
  );
  // Left unread: authentication and access are checked first.
  app.addContentTypeParser('*', (_request, _body, done) => done(null, WRONG_TYPE));
}
