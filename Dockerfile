# triomino: the table server. See docs/hosting.md.
# The full image: it has the compiler that builds the kernel.
FROM python:3.13 AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/triomino && /opt/triomino/bin/pip install --no-cache-dir .

FROM python:3.13-slim
COPY --from=build /opt/triomino /opt/triomino
RUN useradd --system --home-dir /data triomino && install -d -o triomino /data
USER triomino
ENV PATH=/opt/triomino/bin:$PATH TRIOMINO_DATA=/data
VOLUME /data
EXPOSE 8020
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s CMD ["python", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8020/health', timeout=4)"]
ENTRYPOINT ["triomino"]
CMD ["serve", "--no-qr", "--log-json"]
