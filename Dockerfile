# The image of Carnet: `docker build -t carnet .`, or compose.yaml with a PostgreSQL beside it.

FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/carnet
WORKDIR /src
COPY requirements/run.txt requirements/
RUN /opt/carnet/bin/pip install --require-hashes --only-binary :all: --requirement requirements/run.txt
COPY LICENSE README.md pyproject.toml ./
COPY deploy/wheel deploy/wheel
# The pages of the rules are links to these.
COPY docs/rules docs/rules
COPY domain domain
COPY migrations migrations
COPY service service
RUN /opt/carnet/bin/pip install --no-deps .

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Carnet" org.opencontainers.image.licenses="MIT"
RUN useradd --uid 10001 --user-group --no-create-home carnet \
    && install --directory --owner=carnet --group=carnet --mode=0700 /data
COPY --from=build /opt/carnet /opt/carnet
# Nothing is written outside /data and /tmp, so the root can be read-only.
ENV PATH=/opt/carnet/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
    CARNET_HOST=0.0.0.0 CARNET_PORT=8000 CARNET_DATA=/data CARNET_LOG=json
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
COPY deploy/healthy.py /opt/carnet/
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s CMD ["python", "/opt/carnet/healthy.py"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["carnet"]
CMD ["run"]
