"""An SMTP server for tests. Prints its port as a JSON line, then each received mail as parsed by Python.

Arguments: none|starttls|tls; for the last two also a file with certificate and key.
"""

import asyncio
import email
import email.policy
import json
import logging
import ssl
import sys
import warnings

from aiosmtpd.smtp import SMTP, AuthResult

# Hide messages about clients that close the connection.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


def say(**fields):
    print(json.dumps(fields), flush=True)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unknown@"):
            return "550 no such mailbox"
        if address.startswith("later@"):
            return "451 come back later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        say(
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            headers={name.lower(): str(value) for name, value in mail.items()},
            body=mail.get_content(),
            is_tls=session.ssl is not None or sys.argv[1] == "tls",
            is_signed_in=bool(session.authenticated),
            is_ascii=envelope.content.isascii(),
        )
        return "250 taken"


def sign_in(server, session, envelope, mechanism, data):
    # `handled=False`: the server sends the response.
    return AuthResult(success=(data.login, data.password) == (b"ann", b"geheim"), handled=False)


async def main():
    mode = sys.argv[1]
    context = None
    if mode != "none":
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(sys.argv[2])

    def session():
        return SMTP(
            Handler(),
            hostname="mail.test",
            tls_context=context if mode == "starttls" else None,
            require_starttls=mode == "starttls",
            authenticator=sign_in,
            auth_required=mode != "none",
            auth_require_tls=mode == "starttls",
            enable_SMTPUTF8=False,
        )

    wrapped = context if mode == "tls" else None
    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", 0, ssl=wrapped)
    say(port=server.sockets[0].getsockname()[1])
    await server.serve_forever()


asyncio.run(main())
